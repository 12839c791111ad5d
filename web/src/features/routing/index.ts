/** What other features may import from this one. */
export { RouteEditor } from './RouteEditor.tsx';
