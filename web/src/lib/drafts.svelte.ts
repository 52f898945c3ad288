/** Texts that were changed and not saved, until the tab is closed; it asks before. */
import { SvelteMap } from "svelte/reactivity";

interface Draft {
  text: string;
  digest: string; // of the file that was changed
}

export const drafts = new SvelteMap<string, Draft>();
export const draftOf = (model: string, file: string) => JSON.stringify([model, file]);

addEventListener("beforeunload", (event) => {
  if (drafts.size) event.preventDefault();
});
