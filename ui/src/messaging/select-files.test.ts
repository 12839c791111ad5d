import { expect, it } from 'vitest';
import { selectFiles } from './select-files.ts';

const file = (name: string, type: string, bytes = 10): File =>
  new File([new Uint8Array(bytes)], name, { type });
const local = '+14155552368',
  tollFree = '+18005550123';

it('accepts sendable files and names the rejected ones', () => {
  const { files, problem } = selectFiles(
    [],
    [file('a.png', 'image/png'), file('b.exe', 'application/x-msdownload')],
    local,
  );
  expect(files.map((f) => f.name)).toEqual(['a.png']);
  expect(problem).toBe('b.exe can’t be sent by text. Choose a different type of file.');
});
it('accepts at most ten files', () => {
  const many = Array.from({ length: 12 }, (_, i) => file(`${i}.png`, 'image/png'));
  expect(selectFiles([], many, local)).toMatchObject({
    problem: 'A message can have at most 10 files.',
  });
  expect(selectFiles([], many, local).files).toHaveLength(10);
});
it('rejects files that are too large together; toll-free numbers have a lower limit', () => {
  const clip = file('clip.mp4', 'video/mp4', 600_000);
  expect(selectFiles([], [clip], local).problem).toBeNull();
  expect(selectFiles([], [clip], tollFree)).toEqual({
    files: [],
    problem: 'These files are too large to send together. The limit is 525 KB.',
  });
});
it('accepts large pictures, which the server shrinks', () => {
  expect(selectFiles([], [file('big.jpg', 'image/jpeg', 5_000_000)], tollFree).problem).toBeNull();
});

it('an iPhone’s HEIC picture says what to do; AVIF and TIFF are taken', () => {
  for (const [name, type] of [
    ['IMG_1.HEIC', ''],
    ['IMG_1.heic', 'image/heic'],
    ['IMG_1.heif', 'image/heif'],
    ['photo', 'image/heic-sequence'],
  ] as const)
    expect(selectFiles([], [file(name, type)], '+12125550100').problem).toBe(
      `${name} is a HEIC picture, which can’t be sent by text. Export it as JPEG.`,
    );
  for (const type of ['image/avif', 'image/tiff'])
    expect(selectFiles([], [file('a', type)], '+12125550100')).toMatchObject({ problem: null });
});
