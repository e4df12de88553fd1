// The description of a map in words.

import { visible } from "../desk/grid_order.js";
import { thousands } from "../desk/grid_paint.js";

const DISTANCES = "Only neighbourhoods have a meaning. Distances between groups, their sizes and the directions have none.";

export const percent = (share) => `${(100 * share).toFixed(share < 0.095 ? 1 : 0)}%`;

// map: the server's data; added: the targets of the table that were added to the run.
export function restsOn({ positions, left_out, features, features_left_out, told: more, explained }, added) {
  const parts = [`${thousands(positions.length)} targets by their scores with ${thousands(features)} feature${features === 1 ? "" : "s"}`];
  if (features_left_out) parts.push(`${thousands(features_left_out)} features without a score for some target are left out`);
  const gone = left_out.map(([target, why]) => `${visible(target)} (${why})`);
  if (gone.length) parts.push(`without ${gone.slice(0, 5).join(", ")}${gone.length > 5 ? ` and ${gone.length - 5} more` : ""}`);
  const beside = added.filter((one) => !positions.some(([word]) => word === one));
  if (beside.length) parts.push(`added words are only in the table (${beside.map(visible).join(", ")})`);
  const meant = explained.length ? `The axes hold ${percent(explained[0])} and ${percent(explained[1])} of the variance.` : DISTANCES;
  return `${parts.join("; ")}. ${more ? `${more} ` : ""}${meant}`;
}
