// Light or dark as was chosen here, before anything is painted: that is why this is no module.

const chosen = localStorage.getItem("bookworm.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
