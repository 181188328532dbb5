// Making DOM nodes in one line, and writing to them without work for the browser where nothing changes.

/** A node with attributes, `text` or children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Sets a node's text, unless it says so already. */
export function say(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A canvas's pen. Drawn by the processor: small pictures must not wait behind what the game has given the GPU to do.
 */
export function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  return canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
}
