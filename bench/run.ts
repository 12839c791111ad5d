import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

/**
 * `npm run bench [name]`: each benchmark in its own process, one after the other. Compare ratios
 * within one run only.
 */
const wanted = process.argv[2];
const folder = new URL('.', import.meta.url).pathname;
const names = readdirSync(folder)
  .filter(
    (f) =>
      f.endsWith('.ts') &&
      ![
        'kit.ts',
        'run.ts',
        'fill-company.ts',
        'fill-inbox.ts',
        'fill-calls.ts',
        'fill-items.ts',
        'processor-time.ts',
      ].includes(f),
  )
  .map((f) => f.slice(0, -3))
  .filter((n) => !wanted || n === wanted);
if (!names.length) {
  console.error(`There is no benchmark named ${wanted}.`);
  process.exit(1);
}
for (const name of names) {
  console.log(`\n── ${name}`);
  await new Promise<void>((resolve) =>
    spawn(process.execPath, ['--import', 'tsx', `${folder}${name}.ts`], { stdio: 'inherit' }).once(
      'close',
      () => resolve(),
    ),
  );
}
