// A canvas that writes SVG: the calls that grid_paint.js makes, as elements.

const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const short = (value) => String(Math.round(value * 100) / 100);
const ANCHORS = { left: "start", center: "middle", right: "end" };
const BASELINES = { middle: "central", top: "hanging", alphabetic: "auto" };

export class SvgContext {
  constructor(width, height, measure) {
    Object.assign(this, { width, height, parts: [], path: "", clips: 0, open: [0] });
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, font: "", textAlign: "left", textBaseline: "middle" });
    this.measureText = (text) => {
      measure.font = this.font;
      return measure.measureText(text);
    };
  }
  save() { this.open.push(0); }
  restore() { this.parts.push("</g>".repeat(this.open.pop())); }
  translate(x, y) { this.group(`transform="translate(${short(x)} ${short(y)})"`); }
  rotate(angle) { this.group(`transform="rotate(${short((angle * 180) / Math.PI)})"`); }
  // Closed by the restore of the present save.
  group(look) {
    this.parts.push(`<g ${look}>`);
    this.open.push(this.open.pop() + 1);
  }
  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += `M${short(x)} ${short(y)}`; }
  lineTo(x, y) { this.path += `L${short(x)} ${short(y)}`; }
  closePath() { this.path += "Z"; }
  rect(x, y, width, height) { this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`; }
  clip() {
    this.clips += 1;
    this.parts.push(`<clipPath id="clip${this.clips}"><path d="${this.path}"/></clipPath>`);
    this.group(`clip-path="url(#clip${this.clips})"`);
  }
  fill() { if (this.path) this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}"/>`); }
  stroke() {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"/>`);
  }
  fillRect(x, y, width, height) { this.box(x, y, width, height, `fill="${this.fillStyle}"`); }
  strokeRect(x, y, width, height) {
    this.box(x, y, width, height, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"`);
  }
  box(x, y, width, height, look) {
    this.parts.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" ${look}/>`);
  }
  fillText(text, x, y) {
    const [, weight, size, family] = /^(?:(\d+) )?(\d+)px (.*)$/.exec(this.font);
    this.parts.push(
      `<text x="${short(x)}" y="${short(y)}" fill="${this.fillStyle}" font-family="${escaped(family)}" font-size="${size}"` +
        `${weight ? ` font-weight="${weight}"` : ""} text-anchor="${ANCHORS[this.textAlign]}"` +
        ` dominant-baseline="${BASELINES[this.textBaseline]}" unicode-bidi="isolate">${escaped(text)}</text>`,
    );
  }
  toString() {
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${this.parts.join("")}</svg>\n`;
  }
}
