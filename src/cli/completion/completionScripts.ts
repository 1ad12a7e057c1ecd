/** What each shell reads once, at its start: it asks `warren complete` for the candidates whenever Tab is pressed. */
export const COMPLETION_SCRIPTS = {
  bash: `# warren's completion for bash: source <(warren completion bash)
_warren() {
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local word
  words[COMP_CWORD-1]=\${words[COMP_CWORD-1]//\\\\/}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ -n $word ]] && COMPREPLY+=("$(printf '%q' "$word")")
  done < <(warren complete -- "\${words[@]}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -o default -F _warren warren
`,
  zsh: `#compdef warren
# warren's completion for zsh: source <(warren completion zsh)
_warren() {
  local -a found
  local line
  for line in "\${(@f)$(warren complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe 'warren' found; else _files; fi
}
compdef _warren warren
`,
  fish: `# warren's completion for fish: warren completion fish | source
function __warren_complete
  set -l found (warren complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c warren -f -a '(__warren_complete)'
`,
} as const;

export type Shell = keyof typeof COMPLETION_SCRIPTS;
