declare module 'plotly.js-cartesian-dist-min' {
  const Plotly: {
    /** Draws traces over whatever the element shows; resolves when they are to be seen. */
    react(target: HTMLElement, traces: readonly unknown[], layout: object, config: object): Promise<unknown>;
  };
  // biome-ignore lint/style/noDefaultExport: how the package is
  export default Plotly;
}
