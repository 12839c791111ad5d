/** `npm run settings` writes the table of settings into README.md, between its two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsCatalogue } from '../server/src/settings.ts';

const marks = /(<!-- settings: npm run settings -->\n)([\s\S]*?)(<!-- end of settings -->)/;

/** The Markdown table of all settings with their defaults and meanings. */
export function settingsTable(): string {
  const rows = settingsCatalogue.map(
    ({ name, default: fallback, meaning }) =>
      `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

/** The table in a document; null without the marks. */
export const tableIn = (document: string): string | null => marks.exec(document)?.[2] ?? null;

if (process.argv[1] === import.meta.filename) {
  const readme = join(import.meta.dirname, '../README.md');
  const text = readFileSync(readme, 'utf8');
  if (tableIn(text) === null) {
    console.error(
      'README.md has no place for the settings. Put these two lines where they belong:\n<!-- settings: npm run settings -->\n<!-- end of settings -->',
    );
    process.exitCode = 1;
  } else
    writeFileSync(
      readme,
      text.replace(
        marks,
        (_, start: string, __, end: string) => `${start}${settingsTable()}${end}`,
      ),
    );
}
