import { start } from "./start.js";

start((place) => {
  place.contentEditable = "true";
  return () => place.innerText;
});
