import { afterEach, expect, test, vi } from 'vitest';
import { listenForFiles } from '../../demos/app/drop-file';

afterEach(() => vi.unstubAllGlobals());

test('a folder among dropped files is told of by its name, and nothing is opened', async () => {
  vi.stubGlobal('window', { addEventListener() {} });
  vi.stubGlobal('document', { body: {} });
  const [use, refuse] = [vi.fn(), vi.fn()];
  const read = listenForFiles(use, refuse);
  const file = new File(['{}'], 'a.scene.json');
  const folder = { name: 'scenes', arrayBuffer: () => Promise.reject(new Error('NotFoundError')) } as unknown as File;
  await read([file, folder]);
  expect(use).not.toHaveBeenCalled();
  expect(refuse.mock.calls.map(([name]) => name)).toEqual(['scenes']);
  await read([file]);
  expect([...use.mock.calls[0][0].keys()]).toEqual(['a.scene.json']);
});
