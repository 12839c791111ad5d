/**
 * Stands in for zod in browser bundles: the contract's shapes are for the server and for documents, the browser reads only
 * names, methods and addresses. Saves about 60 kB gzip and the time to build some hundred schemas. Vite aliases `zod` to it.
 */
type Anything = ((...args: unknown[]) => Anything) & { [key: string]: Anything };
const anything: Anything = new Proxy((() => anything) as unknown as Anything, {
  get: (_target, key) =>
    key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything,
  apply: () => anything,
});
export const z = anything;
export default anything;
