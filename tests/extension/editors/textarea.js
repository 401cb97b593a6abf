import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { start } from "./start.js";

start((place) => {
  let current = "";
  function Area() {
    const [value, setValue] = useState("");
    current = value;
    return createElement("textarea", { value, rows: 4, onChange: (event) => setValue(event.target.value) });
  }
  createRoot(place).render(createElement(Area));
  return () => current;
});
