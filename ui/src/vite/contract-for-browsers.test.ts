import { expect, it } from 'vitest';
import { build, type Rolldown } from 'vite';
import { contracts, eventByName, type AnyEndpoint } from '#contract';
import { contractForBrowsers } from './contract-for-browsers.ts';

const facts = ({
  name,
  method,
  path,
  permission,
  company,
  multipart,
  skipsSessionCheck,
}: AnyEndpoint) => ({ name, method, path, permission, company, multipart, skipsSessionCheck });
const endpointsOf = (all: Record<string, Record<string, unknown>>) =>
  Object.values(all)
    .flatMap((module) => Object.values(module))
    .filter(
      (v): v is AnyEndpoint => typeof v === 'object' && v !== null && 'method' in v && 'path' in v,
    )
    .map(facts)
    .sort((a, b) => a.name.localeCompare(b.name));

it('the browser’s contract names the same endpoints and events, without shapes, examples and summaries', async () => {
  const entry = '\0all';
  const contractIndex = new URL('../../../contract/src/index.ts', import.meta.url).pathname;
  const said = (await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    resolve: {
      alias: [
        {
          find: /^zod$/,
          replacement: new URL('./zod-stub.ts', import.meta.url).pathname,
        },
        {
          find: /^libphonenumber-js\/min$/,
          replacement: new URL('./phone-tables.ts', import.meta.url).pathname,
        },
      ],
    },
    plugins: [
      {
        name: 'all',
        resolveId: (id) => (/(^|\/)all$/.test(id) ? entry : null),
        load: (id) =>
          id === entry
            ? `import * as c from ${JSON.stringify(contractIndex)}; export const all = { ${Object.keys(
                contracts,
              )
                .map((m) => `${m}: c.${m}`)
                .join(', ')} }; export const eventByName = c.eventByName;`
            : null,
      },
      contractForBrowsers(),
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry: 'all', formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[];
  const code = said[0]!.output[0].code;
  const inBrowser = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  )) as {
    all: Record<string, Record<string, unknown>>;
    eventByName: Map<string, { channel: unknown; touches: unknown }>;
  };
  expect(endpointsOf(inBrowser.all)).toEqual(endpointsOf(contracts));
  const events = (map: ReadonlyMap<string, { channel: unknown; touches: unknown }>) =>
    [...map]
      .map(([name, { channel, touches: invalidates }]) => ({ name, channel, touches: invalidates }))
      .sort((a, b) => a.name.localeCompare(b.name));
  expect(events(inBrowser.eventByName)).toEqual(events(eventByName));
  expect(code).not.toContain('Sign in with email and password');
}, 30_000);
