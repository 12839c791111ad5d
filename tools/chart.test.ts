import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';

const root = join(import.meta.dirname, '..');
const chart = join(root, 'deploy/chart');
const read = (name: string) => readFileSync(join(chart, name), 'utf8');
const templates = readdirSync(join(chart, 'templates')).map((name) => read(`templates/${name}`));
const values = parse(read('values.yaml')) as Record<string, unknown>;
const schema = JSON.parse(read('values.schema.json')) as Record<string, unknown>;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const isSetting = (name: string) => readme.includes(`| \`${name}\` |`);

/** The least that an operator sets. */
const given = {
  ...{ publicUrl: 'https://phones.example.com', existingSecret: 'trunkline', carrier: 'twilio' },
  image: { repository: 'registry.example.com/trunkline' },
};

/** Paths of what can be set: `image.repository`. An empty map is one of the operator's own. */
const pathsIn = (map: Record<string, unknown>, before = ''): string[] =>
  Object.entries(map).flatMap(([name, value]) =>
    value && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
      ? pathsIn(value as Record<string, unknown>, `${before}${name}.`)
      : [`${before}${name}`],
  );

describe('the schema of the values', () => {
  const check = new Ajv({ allErrors: true }).compile(schema);
  const problems = (changed: object) => {
    const isRight = check({ ...structuredClone(values), ...given, ...changed });
    return isRight ? [] : (check.errors ?? []).map(({ instancePath }) => instancePath);
  };

  test('takes the defaults with the least that is given, and nothing less', () => {
    expect(problems({})).toEqual([]);
    expect(check(values)).toBe(false);
    expect(new Set(check.errors?.map(({ instancePath }) => instancePath))).toEqual(
      new Set(['/publicUrl', '/existingSecret', '/carrier', '/image/repository']),
    );
  });

  test.each([
    ['a misspelled value', { ingres: {} }, ''],
    ['an address with a path', { publicUrl: 'https://phones.example.com/app' }, '/publicUrl'],
    ['a secret among the settings', { settings: { APP_SECRET: 'x' } }, '/settings'],
    ['a setting in small letters', { settings: { log_level: 'warn' } }, '/settings'],
    ['a setting that is no text', { settings: { TRACING: 1 } }, '/settings/TRACING'],
    ['a size without a unit', { storage: { size: '20' } }, '/storage/size'],
    ['a port out of range', { media: { sipPort: 70_000 } }, '/media/sipPort'],
  ])('refuses %s', (_, changed, at) => {
    expect(problems(changed)).toContain(at);
  });
});

test('templates use every value there is, and no other', () => {
  const used = new Set(
    templates.flatMap((template) =>
      [...template.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? ''),
    ),
  );
  const declared = pathsIn(values);
  const isUsed = (path: string) =>
    [...used].some((one) => path === one || path.startsWith(`${one}.`));
  expect(declared.filter((path) => !isUsed(path))).toEqual([]);
  const isDeclared = (path: string) =>
    declared.some((one) => one === path || one.startsWith(`${path}.`));
  expect([...used].filter((path) => !isDeclared(path))).toEqual([]);
});

test('what is set in the environment are settings that Trunkline has', () => {
  const inMap = [...read('templates/settings.yaml').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)];
  const { settings } = schema['properties'] as {
    settings: { propertyNames: { not: { enum: string[] } } };
  };
  const names = [...inMap.map(([, name]) => name ?? ''), ...settings.propertyNames.not.enum];
  expect(inMap.length).toBeGreaterThan(4);
  expect(names.filter((name) => !isSetting(name))).toEqual([]);
});

test('it is for this version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

const hasHelm = spawnSync('helm', ['version']).status === 0;

describe.skipIf(!hasHelm)('rendered by helm', () => {
  function render(changed: object, ...more: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-chart-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'values.yaml');
    writeFileSync(file, stringify({ ...given, ...changed }));
    const args = ['template', 'phones', chart, '-f', file, '--kube-version', '1.28', ...more];
    const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const objects = parseAllDocuments(stdout).map((one) => one.toJS() as RenderedObject | null);
    return new Map(objects.flatMap((one) => (one ? [[one.kind, one] as const] : [])));
  }
  interface RenderedObject {
    kind: string;
    data?: Record<string, string>;
    spec: { template: { spec: Record<string, unknown> }; rules: { host: string }[] };
  }

  test('it makes a pod that may write to its volumes only, a service, an ingress and a job', () => {
    const made = render({ settings: { TRACING: '1' } });
    expect([...made.keys()].sort()).toEqual([
      ...['ConfigMap', 'Ingress', 'Job', 'Service', 'StatefulSet'],
    ]);
    expect(made.get('ConfigMap')?.data).toMatchObject({
      ...{ PUBLIC_URL: given.publicUrl, TRACING: '1', SIP_PORT: '5060' },
    });
    expect(made.get('Ingress')?.spec.rules[0]?.host).toBe('phones.example.com');
    for (const kind of ['StatefulSet', 'Job'])
      expect(made.get(kind)?.spec.template.spec).toMatchObject({
        securityContext: { runAsNonRoot: true },
        containers: [
          {
            image: 'registry.example.com/trunkline:0.1.0',
            securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          },
        ],
      });
  });

  test('what is turned off is not there; a wrong value is refused with its name', () => {
    const made = render({
      ...{ ingress: { enabled: false }, media: { hostNetwork: false } },
      migrateBeforeUpgrade: false,
    });
    expect([...made.keys()].sort()).toEqual(['ConfigMap', 'Service', 'StatefulSet']);
    expect(made.get('StatefulSet')?.spec.template.spec).not.toHaveProperty('hostNetwork');
    expect(() => render({ publicUrl: 'phones' })).toThrow('publicUrl');
  });
});
