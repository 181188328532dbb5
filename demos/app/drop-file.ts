// A file dropped anywhere on the page is handed over as text.

/** `use` gets the text and the file's name. */
export function listenForFiles(use: (text: string, name: string) => void): (file: File) => void {
  const read = (file: File) => {
    file.text().then((text) => use(text, file.name));
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
    const file = event.dataTransfer?.files[0];
    if (file) read(file);
  });
  return read;
}
