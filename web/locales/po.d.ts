/** A translated catalogue, compiled while bundling (`web/compiled-messages.ts`). */
declare module '*.po' {
  const messages: import('@lingui/core').Messages;
  export default messages;
}
