// Files dropped anywhere on the page are handed over by name, as bytes; what cannot be read, such as a folder, by name.

/** `use` gets all files of a drop: a scene may come together with the grooms that it names. */
export function listenForFiles(
  use: (files: Map<string, Uint8Array>) => void,
  refuse: (name: string, error: unknown) => void,
): (files: Iterable<File>) => Promise<void> {
  const read = async (list: Iterable<File>) => {
    const files = new Map<string, Uint8Array>();
    for (const file of list) {
      try {
        files.set(file.name, new Uint8Array(await file.arrayBuffer()));
      } catch (error) {
        refuse(file.name, error);
        return;
      }
    }
    if (files.size > 0) use(files);
  };
  const body = document.body;
  let inside = 0; // dragenter and dragleave come for every child
  window.addEventListener('dragenter', () => {
    inside++;
    body.classList.add('dropping');
  });
  window.addEventListener('dragleave', () => {
    inside = Math.max(0, inside - 1);
    if (inside === 0) body.classList.remove('dropping');
  });
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    inside = 0;
    body.classList.remove('dropping');
    void read(event.dataTransfer?.files ?? []);
  });
  return read;
}
