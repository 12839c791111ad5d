/**
 * A child process of its own, because eSpeak NG is licensed under the GPL: it is run, never linked.
 * In: one JSON object {text, voice, speed} on stdin. Out: a WAV file on stdout. Exit 1 and words on stderr when it fails.
 */
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

let asked = '';
for await (const part of process.stdin) asked += part;
const { text, voice, speed } = JSON.parse(asked);
// A leading space keeps a text that begins with a dash from being taken for an option.
const words = ['-v', voice, '-s', String(speed), ` ${text}`];

const system = [
  '/usr/bin/espeak-ng',
  '/usr/local/bin/espeak-ng',
  '/opt/homebrew/bin/espeak-ng',
].find((path) => existsSync(path));
if (system) {
  const spoken = spawnSync(system, ['--stdout', ...words], { maxBuffer: 64 * 1024 * 1024 });
  if (spoken.status !== 0)
    throw new Error(spoken.stderr.toString() || `espeak-ng ended with ${spoken.status}`);
  process.stdout.write(spoken.stdout);
} else {
  const { default: espeak } = await import('espeak-ng');
  const engine = await espeak({
    arguments: ['-w', 'spoken.wav', ...words],
    print: () => {},
    printErr: (line) => console.error(line),
  });
  process.stdout.write(engine.FS.readFile('spoken.wav'));
}
