// On each page that asks nothing, the last one above all: the tab forgets what survey.js kept there.
try {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("answers ")) sessionStorage.removeItem(key);
} catch { /* a browser that stores nothing */ }
