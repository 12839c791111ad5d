import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A hash of these files and folders by their contents, because a checkout changes their dates.
 * Tests and build results are left out.
 */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    let names: string[];
    try {
      names = readdirSync(full).sort();
    } catch {
      hash.update(path).update(readFileSync(full));
      return;
    }
    for (const name of names)
      if (!name.startsWith('dist') && name !== 'node_modules' && !/\.test\.tsx?$/.test(name))
        visit(join(path, name));
  };
  for (const source of sources) visit(source);
  return hash.digest('hex');
}
