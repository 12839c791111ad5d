import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { entriesOf } from '../../../../test/support/zip-entries.ts';
import { snippetsOf } from './snippets.ts';

const origin = 'https://phones.example.com';
const given = { origin, companyKey: '12-AbCdEf123', version: '1.1.0', integrity: 'sha384-x/+=' };
const snippets = await snippetsOf(given);

/** The sections of a template by name. */
const sections = new Map(
  snippets.gtmTemplate.content
    .split(/^___([A-Z_]+)___$/m)
    .slice(1)
    .flatMap((text, at, all) => (at % 2 === 0 ? [[text, all[at + 1]!.trim()] as const] : [])),
);
const section = (name: string) => sections.get(name) ?? '';

it('the template for Tag Manager has every section in order, and may load from here alone', () => {
  expect([...sections.keys()]).toEqual([
    'TERMS_OF_SERVICE',
    'INFO',
    'TEMPLATE_PARAMETERS',
    'SANDBOXED_JS_FOR_WEB_TEMPLATE',
    'WEB_PERMISSIONS',
    'TESTS',
    'NOTES',
  ]);
  expect(JSON.parse(section('INFO'))).toMatchObject({ type: 'TAG', containerContexts: ['WEB'] });
  const parameters = JSON.parse(section('TEMPLATE_PARAMETERS'));
  expect(
    parameters.map((one: { name: string; defaultValue: string }) => [one.name, one.defaultValue]),
  ).toEqual([
    ['companyKey', given.companyKey],
    ['version', given.version],
  ]);
  expect(new RegExp(parameters[0].valueValidators[1].args[0]).test(given.companyKey)).toBe(true);
  expect(JSON.parse(section('WEB_PERMISSIONS'))).toMatchObject([
    {
      instance: {
        key: { publicId: 'inject_script', versionId: '1' },
        param: [
          { key: 'urls', value: { type: 2, listItem: [{ type: 1, string: `${origin}/t/*` }] } },
        ],
      },
    },
  ]);
});

it('its code asks for what its permissions allow, and passes its own tests', () => {
  const code = section('SANDBOXED_JS_FOR_WEB_TEMPLATE');
  const asked = [...code.matchAll(/require\('(\w+)'\)/g)].map(([, name]) => name);
  expect(asked).toEqual(['encodeUriComponent', 'injectScript']);
  const scenarios = section('TESTS')
    .split('- name: ')
    .slice(1)
    .map((text) => {
      const [name = '', ...lines] = text.split('\n');
      return { name, code: lines.filter((line) => line.startsWith('    ')).join('\n') };
    });
  expect(scenarios).toHaveLength(2);
  for (const scenario of scenarios) {
    const mocks: Record<string, unknown> = {};
    const ends = { gtmOnSuccess: vi.fn(), gtmOnFailure: vi.fn() };
    const apis: Record<string, unknown> = { encodeUriComponent: encodeURIComponent };
    const world = {
      mock: (name: string, run: unknown) => void (mocks[name] = run),
      assertThat: (value: unknown) => ({
        isEqualTo: (other: unknown) => expect(value).toBe(other),
      }),
      assertApi: (name: keyof typeof ends) => ({
        wasCalled: () => expect(ends[name], scenario.name).toHaveBeenCalledOnce(),
      }),
      runCode: (data: object) =>
        // oxlint-disable-next-line no-new-func -- as Tag Manager runs it
        new Function('require', 'data', code)((name: string) => mocks[name] ?? apis[name], {
          ...data,
          ...ends,
        }),
    };
    // oxlint-disable-next-line no-new-func -- as Tag Manager runs it
    new Function(...Object.keys(world), scenario.code)(...Object.values(world));
  }
});

it('the plugin for WordPress is a zip with one PHP file that prints the tag', async () => {
  const { content, zip } = snippets.wordpress;
  expect([...(await entriesOf(Buffer.from(zip, 'base64')))]).toEqual([
    ['trunkline-call-tracking/trunkline-call-tracking.php', Buffer.from(content)],
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  try {
    const file = join(folder, 'plugin.php');
    writeFileSync(file, content);
    const php = spawnSync('php', ['-l', file], { encoding: 'utf8' });
    if (php.error) return console.log('skipped: PHP isn’t installed, so the plugin isn’t run');
    expect(php.stdout).toMatch(/^No syntax errors/);
    const run = `define('ABSPATH', '/'); function add_action($name, $run) { echo "$name:"; $run(); } require '${file}';`;
    expect(spawnSync('php', ['-r', run], { encoding: 'utf8' }).stdout).toBe(
      `wp_head:${snippets.snippet}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
