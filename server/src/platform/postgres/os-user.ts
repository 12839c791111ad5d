import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The OS user PostgreSQL runs as when we are root, which it refuses to be; many containers have no
 * other user. `user`: an existing unprivileged user. `mapped`: ourselves inside a user namespace in
 * which our id is not root's, so that every path we can enter stays open. Null: as we are.
 */
export type OsUser = { kind: 'user'; uid: number; gid: number } | { kind: 'mapped' } | null;

const isRoot = () => process.getuid?.() === 0;

/**
 * Chooses the OS user.
 * @param dataDirectory of the cluster; when it exists its owner decides
 * @param program that must be startable
 * @returns undefined when neither way works: the caller must move to a directory that others can
 * enter
 */
export function chooseOsUser(dataDirectory: string, program: string): OsUser | undefined {
  if (!isRoot()) return null;
  if (existsSync(dataDirectory)) {
    const { uid, gid } = statSync(dataDirectory);
    if (uid === 0) return canMap() ? { kind: 'mapped' } : undefined;
    return { kind: 'user', uid, gid };
  }
  const user = findUnprivilegedUser();
  if (user && canEnter(user, nearestExisting(dataDirectory)) && canRun(user, program)) return user;
  return canMap() ? { kind: 'mapped' } : undefined;
}

/** The first of the customary database users that exists here. Null: none of them. */
export function findUnprivilegedUser(): { kind: 'user'; uid: number; gid: number } | null {
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  for (const name of ['postgres', 'node', 'nobody']) {
    const line = passwd
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`))
      ?.split(':');
    if (line) return { kind: 'user', uid: Number(line[2]), gid: Number(line[3]) };
  }
  return null;
}

/** The command, arguments and options that start a program as this user. */
export function runAs(
  identity: OsUser,
  program: string,
  args: string[],
): { file: string; args: string[]; options: { uid?: number; gid?: number } } {
  if (identity?.kind === 'user')
    return { file: program, args, options: { uid: identity.uid, gid: identity.gid } };
  if (identity?.kind === 'mapped')
    return { file: 'unshare', args: [...mapping, program, ...args], options: {} };
  return { file: program, args, options: {} };
}

const mapping = ['--user', '--map-user=1000', '--map-group=1000'];
const canMap = () => spawnSync('unshare', [...mapping, 'true'], { stdio: 'ignore' }).status === 0;

/**
 * Whether this operating-system user can execute the program: root's files are often closed to
 * others.
 */
export const canRun = (user: { uid: number; gid: number }, program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore', cwd: '/', uid: user.uid, gid: user.gid })
    .status === 0;
const canEnter = (user: { uid: number; gid: number }, directory: string) =>
  spawnSync('test', ['-x', directory], { stdio: 'ignore', cwd: '/', uid: user.uid, gid: user.gid })
    .status === 0;

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}
