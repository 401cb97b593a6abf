// Loaded before the first paint, so that the wrong theme never flashes. It follows the system
// until a theme is chosen; the app says so with the event "remem-theme".
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  function apply() {
    const chosen = localStorage.getItem("remem.theme");
    const isChosen = chosen === "light" || chosen === "dark";
    document.documentElement.dataset.theme = isChosen ? chosen : system.matches ? "dark" : "light";
  }
  system.addEventListener("change", apply);
  addEventListener("remem-theme", apply);
  apply();
})();
