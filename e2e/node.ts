import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Fetches a package of npm without what it needs, into a folder. Returns that. Throws what npm says. */
export function unpackPackage(spec: string, to: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'trunkline-package-'));
  try {
    mkdirSync(to, { recursive: true });
    const packed = run('npm', ['pack', '--silent', '--pack-destination', scratch, spec]);
    const file = join(scratch, packed.split('\n').at(-1) ?? '');
    run('tar', ['xzf', file, '-C', to, '--strip-components=1']);
    return to;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
  return stdout.trim();
}
