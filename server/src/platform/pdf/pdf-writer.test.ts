import { expect, test } from 'vitest';
import { readAloud, textOfPdf } from '../../../test/support/read-pdf.ts';
import { printable } from './fonts.ts';
import { PdfWriter } from './pdf-writer.ts';
import { writeTable } from './write-table.ts';

const begin = () => new PdfWriter({ title: 'A report', at: new Date('2026-11-28T12:00:00Z') });
const columns = [
  { title: 'Name', width: 250 },
  { title: 'Calls', width: 250, figures: true },
];
const names = {
  Polish: 'Łukasz Żółć, Świętokrzyska 5',
  Turkish: 'İpek Yağız Şen',
  Romanian: 'Ștefan Țăranu',
  Greek: 'Γιώργος Παπαδόπουλος, ᾠδή',
  Ukrainian: 'Їжаченко Ґалаґан-Єгорова',
  Serbian: 'Ђорђе Њњ Џ',
  Kazakh: 'Қазақстан Әлия Ңұр',
  Vietnamese: 'Nguyễn Thị Hằng, Đặng Ưởng',
  Icelandic: 'Þórður Ægisson',
  Signs: '“1,50 €” – ₴ ₫ ₺ zł → ✓ …',
};

test.each(Object.entries(names))('a name in %s reads back as it was', async (_, name) => {
  for (const font of ['plain', 'bold', 'italic'] as const) {
    const pdf = begin();
    // Composed and plain letters, one after another: neither loses its character to the other.
    pdf.paragraph(name, { font });
    pdf.paragraph(name.normalize('NFD'), { font });
    pdf.paragraph(`${name} Zz Aa Oo`, { font });
    const text = await textOfPdf(await pdf.finish(null));
    expect(text.split('\n').filter(Boolean)).toEqual([name, name, `${name} Zz Aa Oo`]);
  }
});

test('a character that the fonts lack is a visible sign and is said to be one, and can be copied', async () => {
  const pdf = begin();
  pdf.paragraph('株式会社 Łódź');
  pdf.down(700);
  pdf.paragraph('Only letters');
  const bytes = await pdf.finish('Doc');
  const text = await textOfPdf(bytes);
  expect(text).toContain('株式会社 Łódź');
  expect(text).toContain('page 2 of 2');
  expect(text.match(/marks a character that can’t be printed here/g)).toHaveLength(1);
  // An emoji of three people is one sign, not three, and never a part of it.
  expect(printable('株式会社 Łódź 👩‍👩‍👧')).toEqual({ shown: '□□□□ Łódź □', missing: true });
  expect(printable('عربي ไทย हिन्दी').shown).toMatch(/^[□ ]+$/);
  expect(printable('Q̣̇').missing).toBe(false);
  expect(printable('a\u{0}b\tc\u{202e}d\u{2028}e').shown).toBe('a b cd e');
});

test('it says its language, title and structure, and draws nothing outside of it', async () => {
  const pdf = begin();
  pdf.paragraph('A report', { tag: 'H1', size: 20, font: 'bold' });
  pdf.paragraph('Two words');
  pdf.rule();
  writeTable(pdf, columns, [{ group: 'Group' }, { cells: ['Łódź', '1,234'] }, { cells: ['', ''] }]);
  const bytes = await pdf.finish('A report');
  expect(await readAloud(bytes)).toEqual({
    pages: 1,
    title: 'A report',
    language: 'en-US',
    marked: true,
    tags: [
      'Document',
      ['H1'],
      ['P'],
      [
        'Table',
        ['TR', ['TH'], ['TH']],
        ['TR', ['TH']],
        ['TR', ['TH'], ['TD']],
        ['TR', ['TH'], ['TD']],
      ],
    ],
    alternatives: [],
    untagged: 0,
  });
  expect(await textOfPdf(bytes)).toContain('A report – page 1 of 1');
});

test('a long table goes over pages with its heads on each, and no row is torn or lost', async () => {
  const pdf = begin();
  const rows = Array.from({ length: 150 }, (_, i) => ({
    cells: [`Row ${i} ${'of many words '.repeat(i % 12)}end${i}`, String(i * 1000)],
  }));
  writeTable(pdf, columns, rows);
  const bytes = await pdf.finish('Long');
  const { pages, untagged } = await readAloud(bytes);
  expect(pages).toBeGreaterThan(5);
  expect(untagged).toBe(0);
  const text = await textOfPdf(bytes);
  expect(text.match(/^Name Calls$/gm)).toHaveLength(pages);
  expect(text.match(/page \d+ of \d+/g)).toHaveLength(pages);
  for (let i = 0; i < 150; i++) expect(text).toMatch(new RegExp(`end${i}\\b`));
  for (const page of text.split(/Name Calls/).slice(1))
    expect(page.match(/Row \d+/g)?.length).toBe(page.match(/end\d+/g)?.length);
});

test('words wider than the page are broken, text longer than its line is cut, and hostile text harms nothing', async () => {
  const pdf = begin();
  pdf.paragraph('x'.repeat(500));
  pdf.down(20);
  pdf.tag('P', () => pdf.line('word '.repeat(200), { width: 120 }));
  pdf.paragraph(') Tj ET (\\ <feff> \u{0}\u{ffff} \ud800');
  writeTable(pdf, columns, [{ cells: ['y'.repeat(100_000), '1'.repeat(400)] }, { cells: [] }]);
  const text = await textOfPdf(await pdf.finish('🎉'.repeat(300)));
  expect(text.replaceAll('\n', '')).toContain('x'.repeat(500));
  expect(text).toMatch(/word word[a-z ]*…/);
  expect(text).toContain(') Tj ET (\\ <feff>');
});

test('the same document is the same bytes', async () => {
  const write = async () => {
    const pdf = begin();
    pdf.paragraph('Łódź');
    return await pdf.finish('Same');
  };
  expect((await write()).equals(await write())).toBe(true);
});
