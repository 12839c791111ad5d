import { expect, test } from 'vitest';
import { selectDocuments, faxStateLabel } from './labels.ts';

const file = (name: string, type: string, size = 10) => ({ name, type, size }) as File;

test('documents are checked before the upload', () => {
  expect(
    selectDocuments([], [file('a.pdf', 'application/pdf'), file('scan.tif', '')]),
  ).toMatchObject({ files: [{ name: 'a.pdf' }, { name: 'scan.tif' }], problem: null });
  expect(selectDocuments([], [file('a.zip', 'application/zip')])).toEqual({
    files: [],
    problem: 'a.zip can’t be faxed. Use a PDF, TIFF or image.',
  });
  expect(
    selectDocuments(
      [file('a.pdf', 'application/pdf', 10e6)],
      [file('b.pdf', 'application/pdf', 6e6)],
    ).files,
  ).toHaveLength(1);
  expect(
    selectDocuments(
      [],
      Array.from({ length: 11 }, (_, i) => file(`${i}.pdf`, 'application/pdf')),
    ).files,
  ).toHaveLength(10);
});
test('an unknown state is never shown as delivered', () => {
  expect(faxStateLabel('teleported').word).toBe('Unconfirmed');
});
