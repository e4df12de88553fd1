// Hides a page until its scripts have run, so that no test presses a key before they listen.
// Nothing hidden takes the focus: what a script focuses meanwhile gets it when the page is shown.
const focus = HTMLElement.prototype.focus;
let isHidden = false;
// A browser gives up an autofocus whose element is hidden when it first draws the page.
let focusLast = () => {
  const wanted = document.querySelector("[autofocus]");
  if (wanted && document.activeElement === document.body) wanted.focus();
};
const show = (how) => { document.documentElement.style.visibility = how; };
const hide = () => {
  if (document.readyState !== "loading" || !document.documentElement) return;
  isHidden = true;
  show("hidden");
};
HTMLElement.prototype.focus = function (...how) {
  if (isHidden) focusLast = () => focus.apply(this, how);
  else focus.apply(this, how);
};
hide();
const watch = new MutationObserver(() => { hide(); watch.disconnect(); });
if (!document.documentElement) watch.observe(document, { childList: true });
document.addEventListener("DOMContentLoaded", () => {
  isHidden = false;
  show("");
  focusLast();
});
