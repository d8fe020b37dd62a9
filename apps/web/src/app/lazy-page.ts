import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type ComponentType, createElement, use } from 'react';
import { loadPart } from '../ui/load-part.ts';

/**
 * A page whose code is loaded when it is first shown. Unlike the router's `lazyRouteComponent`, it never reloads the
 * document if its code cannot be loaded. It shows a failure, like a page whose data cannot be read.
 */
export function lazyPage(load: () => Promise<ComponentType>): AsyncRouteComponent<object> {
  let Page: ComponentType | null = null;
  let loading: Promise<void> | null = null;
  const preload = () => {
    loading ??= loadPart(load)
      .then((page) => {
        Page = page;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  };
  const component: AsyncRouteComponent<object> = () => {
    if (!Page) use(preload());
    return Page && createElement(Page);
  };
  component.preload = async () => {
    if (!Page) await preload();
  };
  return component;
}
