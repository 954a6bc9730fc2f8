// Applies the chosen theme before anything is painted, which is why this file is not a module.

const chosen = localStorage.getItem("bookworm.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
