// Before the first paint: light or dark, where somebody chose one of them. A classic script, so that it does not wait.
(() => {
  try {
    const theme = localStorage.getItem("skillful-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Where nothing may be kept, the system's choice holds.
  }
})();
