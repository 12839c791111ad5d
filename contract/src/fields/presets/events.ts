import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const columnPresetsChanged = event<typeof payloads.columnPresetsChanged>({
  name: 'column-presets-changed',
  channel: 'companies',
  invalidates: ['listColumnPresets', 'getColumnPreset'],
});
