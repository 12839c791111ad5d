import { t } from '#ui';
import { CallSimulator } from '../CallSimulator.tsx';
import { withoutEmptyRows, type Draft } from '../draft.ts';
import { toRequest } from '../draft-request.ts';
import { testTimesOf } from '../test-times.ts';
import { keyOfForward, nameOfForward, type GraphContext } from './step-text.ts';
import type { FlowEditorState } from './use-flow-editor.ts';

/** A test call on the draft; pressing a line of its result selects that step. */
export function TestCall({ editor }: { editor: FlowEditorState }) {
  const { form } = editor.draft;
  return (
    <CallSimulator
      numberId={editor.numberId}
      unsaved
      draft={() => toRequest(withoutEmptyRows(form.getValues())).routes}
      menu={() => toRequest(form.getValues()).menu}
      destinations={destinationsOf(form.values, editor.context)}
      testTimes={testTimesOf(form.values, new Date())}
      onSimulated={editor.keepTest}
      onStep={(index) => {
        const id = editor.highlight?.stepByLine[index];
        if (id) editor.setSelected(id);
      }}
    />
  );
}

/** Every destination of the draft once; of a team, its people. */
function destinationsOf({ routes }: Draft, context: GraphContext) {
  const named = routes
    .flatMap((route) => route.forwards)
    .flatMap((one): [string, string][] =>
      one.team_id === null
        ? [[keyOfForward(one), nameOfForward(one, context)]]
        : (context.teams[one.team_id]?.user_ids ?? []).map((id) => [
            `user:${id}`,
            context.people[id] ?? t('Someone'),
          ]),
    );
  return [...new Map(named.filter(([key]) => key !== ''))].map(([key, name]) => ({ key, name }));
}
