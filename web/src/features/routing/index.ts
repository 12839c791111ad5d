/** What other features may use of this one. */
export { RouteEditor } from './RouteEditor.tsx';
