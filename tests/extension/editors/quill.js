import Quill from "quill";
import { start } from "./start.js";

start((place) => {
  const quill = new Quill(place, { modules: { toolbar: false } });
  return () => quill.getText();
});
