import { expect, test } from 'vitest';
import { build, type Rolldown } from 'vite';
import { appConfig } from './app-config.ts';

/** The bundle of a module with this code. */
async function bundled(code: string): Promise<string> {
  const { build: options, resolve } = appConfig(import.meta.dirname, { base: '/', port: 0 });
  const entry = '\0entry';
  const outputs = (await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    resolve: resolve!,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (/(^|\/)entry$/.test(id) ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry: 'entry', formats: ['es'] },
      rolldownOptions: {
        treeshake: options!.rolldownOptions!.treeshake!,
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput[];
  return outputs[0]!.output[0].code;
}

test('a screen that uses one endpoint loads neither schemas nor other endpoints', async () => {
  const code = await bundled(
    `import { identity, calls } from '#contract'; export const used = [identity.login, calls.getCall];`,
  );
  expect(code).toContain('path: "/sanctum/login"');
  expect(code).not.toMatch(/ZodError|safeParse/);
  expect(code).not.toContain('Sign in with email and password');
  expect(code).not.toContain('"hangUpCall"');
}, 30_000);

test('a client that subscribes to every event loads no schema', async () => {
  const code = await bundled(`export { eventByName } from '#contract';`);
  expect(code).toContain('"conversation-updated"');
  expect(code).not.toMatch(/ZodError|safeParse/);
}, 30_000);
