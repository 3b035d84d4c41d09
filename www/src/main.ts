/** Starts the page. */
import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import "./draw/drawing.css";

const target = document.getElementById("app")!;
target.replaceChildren();
mount(App, { target });

if (import.meta.env.PROD && "serviceWorker" in navigator && location.protocol.startsWith("http")) {
  addEventListener("load", () => {
    navigator.serviceWorker.register("./sw.js").catch(() => {
      // Without it the page still works while there is a network.
    });
  });
}
