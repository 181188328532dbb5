// WebGPU without a screen: headless Chromium with a software adapter loses its device when a canvas presents. This
// stands in for the canvas's context, draws into a plain texture and reads it back. As on a screen, a frame begins when
// the one before is drawn: else the device falls behind by minutes of frames that nobody sees.

interface Gpu {
  createTexture(options: object): Texture;
  createBuffer(options: object): { mapAsync(mode: number): Promise<void>; getMappedRange(): ArrayBuffer };
  createCommandEncoder(): {
    copyTextureToBuffer(from: object, to: object, size: readonly number[]): void;
    finish(): object;
  };
  queue: { submit(commands: object[]): void; onSubmittedWorkDone(): Promise<void> };
}
interface Texture {
  width: number;
  height: number;
}
interface Configuration {
  device: Gpu;
  format: string;
}

/** Runs in the page before its own scripts; leaves `window.stictionFrame`. It must refer to nothing outside itself. */
export function keepFrames(): void {
  const original = HTMLCanvasElement.prototype.getContext as (kind: string, ...rest: unknown[]) => unknown;
  let shown: Gpu | null = null;
  const request = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      const go = () => callback(time);
      void (shown?.queue.onSubmittedWorkDone() ?? Promise.resolve()).then(go, go);
    });
  const stand = (canvas: HTMLCanvasElement) => {
    let configuration: Configuration | null = null;
    let texture: Texture | null = null;
    const current = () => {
      if (!configuration) throw new Error('the context is not configured');
      if (!texture || texture.width !== canvas.width || texture.height !== canvas.height)
        texture = configuration.device.createTexture({
          size: [canvas.width, canvas.height],
          format: configuration.format,
          usage: 0x01 | 0x04 | 0x10, // COPY_SRC, TEXTURE_BINDING, RENDER_ATTACHMENT
        });
      return texture;
    };
    const frame = async () => {
      const { width, height } = current();
      const { device, format } = configuration as Configuration;
      const bytesPerRow = Math.ceil((width * 4) / 256) * 256;
      const buffer = device.createBuffer({ size: bytesPerRow * height, usage: 0x01 | 0x08 }); // MAP_READ, COPY_DST
      const encoder = device.createCommandEncoder();
      encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [width, height]);
      device.queue.submit([encoder.finish()]);
      await buffer.mapAsync(1);
      const bytes = new Uint8Array(buffer.getMappedRange());
      const picture = document.createElement('canvas');
      picture.width = width;
      picture.height = height;
      const pen = original.call(picture, '2d') as CanvasRenderingContext2D;
      const image = pen.createImageData(width, height);
      const swap = format.startsWith('bgra') ? 2 : 0;
      for (let row = 0; row < height; row++)
        for (let column = 0; column < width; column++) {
          const from = row * bytesPerRow + 4 * column;
          const to = 4 * (row * width + column);
          image.data[to] = bytes[from + swap];
          image.data[to + 1] = bytes[from + 1];
          image.data[to + 2] = bytes[from + 2 - swap];
          image.data[to + 3] = 255;
        }
      pen.putImageData(image, 0, 0);
      return picture.toDataURL('image/png').split(',')[1];
    };
    Object.assign(window, { stictionFrame: frame });
    return {
      canvas,
      configure(next: Configuration) {
        configuration = next;
        shown = next.device;
        texture = null;
      },
      unconfigure() {
        configuration = null;
      },
      getConfiguration: () => configuration,
      getCurrentTexture: current,
    };
  };
  const contexts = new WeakMap<HTMLCanvasElement, object>();
  HTMLCanvasElement.prototype.getContext = function getContext(
    this: HTMLCanvasElement,
    kind: string,
    ...rest: unknown[]
  ) {
    if (kind !== 'webgpu') return original.call(this, kind, ...rest);
    const made = contexts.get(this) ?? stand(this);
    contexts.set(this, made);
    return made;
  } as typeof HTMLCanvasElement.prototype.getContext;
}
