// Keys of the page. A key is left alone while a field of the panels has it.

export type Shortcuts = Readonly<Record<string, () => void>>;

/** `keys` by KeyboardEvent.key in lower case. */
export function listenToKeys(keys: Shortcuts): void {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target as HTMLElement | null;
    if (at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
    // The focused button is pressed by it.
    if (event.key === ' ' && at && /^(BUTTON|A|SUMMARY)$/.test(at.tagName)) return;
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
