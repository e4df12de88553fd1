// The state of the indirect page lives in its address: every module keeps its own keys there, so a link restores all.

export const keys = () => new URLSearchParams(location.search);

// Sets some keys and leaves all others as they are; null or "" takes a key out.
export function setKeys(changes) {
  const query = keys();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(history.state, "", text ? `?${text}` : location.pathname);
}
