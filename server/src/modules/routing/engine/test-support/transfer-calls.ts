/** Numbers and calls that the transfer tests start from. */
import { makeForward, makeNumberConfig, makeRoute } from './script.ts';

/** Ann, Bob and Cem, all reachable in the app. */
export const people = [
  { userId: 1, name: 'Ann', reachable: true },
  { userId: 2, name: 'Bob', reachable: true },
  { userId: 3, name: 'Cem', reachable: true },
];
const ann = makeForward('Ann', { userId: 1, number: null });
/** A number whose first route rings Ann in the app and whose extension 2 rings Bob. */
export const withAnn = (more = {}) =>
  makeNumberConfig({
    people,
    routes: [
      makeRoute({ forwards: [ann] }),
      makeRoute({
        id: 2,
        extension: 2,
        label: 'Sales',
        forwards: [makeForward('Bob', { userId: 2, number: null })],
      }),
    ],
    menuFallback: 1,
    ...more,
  });
/** A number with one route, which rings Ann in the app. */
export const alone = (more = {}) => withAnn({ routes: [makeRoute({ forwards: [ann] })], ...more });
/** Script lines until the caller talks with Ann. */
export const talking = `
  caller calls
  > ring Ann
  Ann answers
  > answer
  > bridge caller and Ann`;
