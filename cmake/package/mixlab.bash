# Completion of mixlab for bash: commands, options, files, and the names that studies use, all asked of the program itself.
_mixlab() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} program=${COMP_WORDS[0]}
  COMPREPLY=()
  _mixlab_offer() { mapfile -t COMPREPLY < <(compgen "$@" -- "$word"); }
  _mixlab_files() {  # with one of these endings, and folders on the way
    local ending
    for ending in "$@"; do mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!*.$ending" -- "$word"); done
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -S / -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  }
  _mixlab_names() { "$program" list "$@" 2>/dev/null | awk '/^  [a-z]/ { print $1 }'; }
  _mixlab_options() {
    "$program" "$command" --help 2>/dev/null | sed -nE '/^Options:/,$ s/^  (-[a-zA-Z] \[ )?(--[a-z-]+).*/\2/p'
  }
  _mixlab_keys() {  # KEY=
    local section
    for section in study problem noise policy confidence; do
      "$program" describe "$section" 2>/dev/null | sed -nE "s/^  ([a-z_]+)  .*/$section.\1=/p"
    done
    "$program" list noise 2>/dev/null | awk '/^  [a-z]/ { print $1 }' | while read -r section; do
      "$program" describe "$section" 2>/dev/null | sed -nE '/^  (formula|source) /! s/^  ([a-z_]+) .*/noise.\1=/p'
    done
  }

  if [[ $COMP_CWORD -eq 1 ]]; then
    _mixlab_offer -W "$("$program" --help 2>/dev/null | awk '/^  [a-z]+  +/ { print $1 }') --help --version"
  elif [[ $word == -* ]]; then
    _mixlab_offer -W "$(_mixlab_options)"
  else
    case $command:$before in
      *:--engine) _mixlab_offer -W "auto lanes reference" ;;
      *:--until) _mixlab_offer -W "decided" ;;
      check:--format | rare:--format) _mixlab_offer -W "table csv json" ;;
      *:--format) _mixlab_offer -W "table json" ;;
      *:--method) _mixlab_offer -W "twisted splitting both" ;;
      *:--list) _mixlab_offer -W "findings bounds comparisons rates summaries" ;;
      *:--only) _mixlab_offer -W "$(_mixlab_names sets)" ;;
      *:--set)
        _mixlab_offer -W "$(_mixlab_keys)"
        compopt -o nospace 2>/dev/null
        ;;
      *:--replay) _mixlab_files csv ;;
      *:--plot) _mixlab_files svg png ;;
      report:-o | report:--output | export:-o | export:--output) _mixlab_files ;;
      *:-o | *:--output | *:--rare) _mixlab_files h5 ;;
      describe:*) _mixlab_offer -W "$(_mixlab_names) study problem noise policy confidence expect sweep format" ;;
      list:*) _mixlab_offer -W "noise arms policies sets delays" ;;
      certify:*)
        _mixlab_files cfg
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(_mixlab_names noise)" -- "$word")
        ;;
      run:* | submit:* | rare:* | trace:*) _mixlab_files cfg h5 ;;
      plan:* | init:*) _mixlab_files cfg ;;
      *) _mixlab_files h5 ;;
    esac
  fi
}
complete -F _mixlab mixlab
