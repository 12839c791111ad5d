import { adapters } from './adapters/registry.ts';
import { declaredVariables, readEnvironment } from './platform/settings/read-environment.ts';
import type { Settings } from './platform/settings.ts';

/**
 * All settings: the platform's, and what each adapter declares. The environment is read here and
 * nowhere else. Throws InvalidSettingsError naming every variable that is wrong.
 */
export const readSettings = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): Settings => readEnvironment(env, adapters);

/** The README's table: every variable that people may set, in order. */
export const settingsCatalogue: readonly { name: string; default: string; meaning: string }[] =
  Object.entries(declaredVariables(adapters))
    .filter(([, { internal }]) => !internal)
    .map(([name, declared]) => ({
      name,
      default: declared.default,
      meaning: declared.description,
    }));
