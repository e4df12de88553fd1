// The address holds the state of the indirect page. Every module keeps its own keys there, so a link restores all.

export const keys = () => new URLSearchParams(location.search);

// Sets some keys and keeps all others; null or "" removes a key.
export function setKeys(changes) {
  const query = keys();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(history.state, "", text ? `?${text}` : location.pathname);
}
