/**
 * Fax pages as black and white dots, 1,728 across (204 per inch) and 196 per inch down. Stored one
 * byte per dot: 0 black, 255 white.
 */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Dots across a page (ITU-T T.4). */
export const pixelsAcross = 1728;
/** Fine resolution of ITU-T T.4, in dots per inch. Dots are slightly wider than high. */
export const dotsPerInch = { across: 204, down: 196 } as const;
/**
 * Rows of a page of this shape at full paper width. Very long pages are cut at three times the
 * width.
 */
export const rowsFor = (width: number, height: number): number =>
  Math.max(
    1,
    Math.round(
      pixelsAcross * Math.min(3, height / width) * (dotsPerInch.down / dotsPerInch.across),
    ),
  );
/** The height that gives a page its true proportions on a screen, whose pixels are square. */
export const squareHeight = (rows: number): number =>
  Math.round(rows * (dotsPerInch.across / dotsPerInch.down));

/**
 * Whether a page lies on its side: it is turned, so that it fills the paper. Strips and banners are not
 * pages, and stay as they are.
 */
export const isLandscape = (width: number, height: number): boolean =>
  width > height * 1.1 && width <= height * 2;
/** Letter, A4, tabloid and legal paper on its side. */
const paperShapes = [11 / 8.5, Math.SQRT2, 17 / 11, 14 / 8.5];
/** Whether a picture has the shape of a landscape page: photographs have others, and stay upright. */
export const isScannedLandscape = (width: number, height: number): boolean =>
  paperShapes.some((shape) => Math.abs(width / height / shape - 1) < 0.015);
/** Gray dots turned by a quarter, the top edge to the right; `width` and `height`: before. */
export function turn(grey: Uint8Array, width: number, height: number): Uint8Array {
  const turned = new Uint8Array(grey.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      turned[x * height + (height - 1 - y)] = grey[y * width + x] ?? 255;
  return turned;
}

/** For text: everything darker than 150 of 255 becomes black. */
export function threshold(grey: Uint8Array, width: number, height: number): Bitmap {
  const dots = new Uint8Array(width * height);
  // `grey` has a value for every dot.
  for (let i = 0; i < dots.length; i++) dots[i] = grey[i]! < 150 ? 0 : 255;
  return { width, height, pixels: dots };
}

/** For photographs: grays become dot patterns (Floyd–Steinberg error diffusion). */
export function dither(grey: Uint8Array, width: number, height: number): Bitmap {
  const dots = new Uint8Array(width * height);
  let here = new Float32Array(width + 2),
    below = new Float32Array(width + 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // `grey` has a value for every dot; both rows have one more place on either side.
      const value = grey[y * width + x]! + here[x + 1]!;
      const dot = value < 128 ? 0 : 255;
      const error = value - dot;
      dots[y * width + x] = dot;
      here[x + 2]! += (error * 7) / 16; // up to width + 1, the last place
      below[x]! += (error * 3) / 16; // the places before, under and after the dot

      below[x + 1]! += (error * 5) / 16;
      below[x + 2]! += error / 16;
    }
    [here, below] = [below, here.fill(0)];
  }
  return { width, height, pixels: dots };
}

/**
 * Packs eight dots into a byte, rows padded to whole bytes, 1 = white (1-bit DeviceGray in PDF).
 */
export function packBits({ width, height, pixels: dots }: Bitmap): Buffer {
  const across = Math.ceil(width / 8);
  const packed = Buffer.alloc(across * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      // A byte for every eight dots of a row, rounded up.
      if (dots[y * width + x]) packed[y * across + (x >> 3)]! |= 0x80 >> (x & 7);
  return packed;
}
