// The service worker of the folder on a web server: everything in it is stored at the first visit, and the network is not
// used again. browser/build.py puts the names of the files and a digest of them before it.
/* global FILES, DIGEST */
addEventListener("install", (event) => {
  event.waitUntil(caches.open(DIGEST).then((cache) => cache.addAll(FILES)));
});
addEventListener("activate", (event) => {
  const outdated = (names) => names.filter((name) => name !== DIGEST).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(outdated(names))));
});
addEventListener("fetch", (event) => {
  event.respondWith(
    caches
      .match(event.request, { ignoreSearch: true, cacheName: DIGEST })
      .then((found) => found ?? fetch(event.request)),
  );
});
