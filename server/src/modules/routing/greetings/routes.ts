import { greetings as contract } from '#contract';
import { answering, outside } from '../../../platform/answer.ts';
import { addGreeting } from './add-greeting.ts';
import { deleteGreeting } from './delete-greeting.ts';
import { getGreeting, listGreetings } from './list-greetings.ts';
import { listVoices, voiceSample } from './list-voices.ts';
import { speakGreeting } from './speak-greeting.ts';
import { updateGreeting } from './update-greeting.ts';

export const answers = answering(contract, {
  listGreetings: (ctx, { query }) => listGreetings(ctx, query),
  listVoices: outside((ctx) => listVoices(ctx)),
  voiceSample: outside((ctx, { params }, http) => voiceSample(ctx, params.voice, http)),
  getGreeting: (ctx, { params }) => getGreeting(ctx, params.id),
  addGreeting: outside((ctx, { body }, http) => addGreeting(ctx, body, http.files)),
  updateGreeting: outside((ctx, { params, body }, http) =>
    updateGreeting(ctx, params.id, body, http.files),
  ),
  updateGreetingByPost: outside((ctx, { params, body }, http) =>
    updateGreeting(ctx, params.id, body, http.files),
  ),
  deleteGreeting: (ctx, { params }) => deleteGreeting(ctx, params.id),
  speakGreeting: outside((ctx, { body }) => speakGreeting(ctx, body)),
});
