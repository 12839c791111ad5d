/** A translated catalogue, compiled while bundling (`ui/src/vite/compiled-messages.ts`). */
declare module '*.po' {
  const messages: import('@lingui/core').Messages;
  export default messages;
}
