import type { VoiceCommand } from '../../../gateways/voice.ts';
import type { CallState, HistoryEntry, PathStep, StepResult } from '../../routing/index.ts';
import type { RoutedCommand } from '../carrier-failover/route-commands.ts';
import type { Interconnect } from '../carrier-failover/store.ts';

/** The sum of several engine steps of one call in one transaction. */
export interface StepBatch {
  state: CallState;
  commands: VoiceCommand[];
  history: HistoryEntry[];
  path: PathStep[];
  /** Legs at another carrier. */
  interconnects: Interconnect[];
  /** Commands that interconnects need in addition. */
  extraCommands: RoutedCommand[];
}

/** A batch that changes nothing yet. */
export const emptyBatch = (state: CallState, interconnects: Interconnect[] = []): StepBatch => ({
  state,
  commands: [],
  history: [],
  path: [],
  interconnects,
  extraCommands: [],
});

/** Adds an engine step to the batch. */
export function addStep(batch: StepBatch, result: StepResult): void {
  batch.state = result.state;
  batch.commands.push(...result.commands);
  batch.history.push(...result.history);
  batch.path.push(...result.path);
}
