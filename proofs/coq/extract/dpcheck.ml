(* dpcheck [--seconds N] FILE...: the verdict of the extracted checker.
   0 accepted, 1 rejected, 2 not a certificate, 3 a rule without a theorem, 4 not decided: the file asks for more than N seconds
   of the processor (60 where nothing is said), or for more memory than 2 GiB; of several files the largest.
   dpcheck [--seconds N] --named: files are named on standard input, one a line; after each comes a line with its status.
   Trusted here: reading JSON. Everything else is extracted from Coq. *)
open Verdict

exception Malformed
exception Too_deep
exception Too_long
exception Too_much_work

let depth = 200
let longest = 1 lsl 26
let seconds = ref 60.
let words = 1 lsl 28 (* of memory *)

(* One character as UTF-8. *)
let add_utf8 b c =
  let put n = Buffer.add_char b (Char.chr n) in
  if c < 0x80 then put c
  else if c < 0x800 then (put (0xc0 lor (c lsr 6)); put (0x80 lor (c land 63)))
  else if c < 0x10000 then (put (0xe0 lor (c lsr 12)); put (0x80 lor ((c lsr 6) land 63)); put (0x80 lor (c land 63)))
  else (put (0xf0 lor (c lsr 18)); put (0x80 lor ((c lsr 12) land 63)); put (0x80 lor ((c lsr 6) land 63)); put (0x80 lor (c land 63)))

(* Whether the bytes are UTF-8: of each character the first byte says how many follow, and the second what would be too long,
   beyond Unicode, or half a pair. *)
let is_utf8 s =
  let n = String.length s in
  let byte i = if i < n then Char.code s.[i] else 0 in
  let follows i = byte i land 0xc0 = 0x80 in
  let rec from i =
    if i >= n then true
    else
      let c = byte i and d = byte (i + 1) in
      if c < 0x80 then from (i + 1)
      else if c >= 0xc2 && c < 0xe0 then follows (i + 1) && from (i + 2)
      else if c >= 0xe0 && c < 0xf0 then
        follows (i + 1) && follows (i + 2) && (c <> 0xe0 || d >= 0xa0) && (c <> 0xed || d < 0xa0) && from (i + 3)
      else if c >= 0xf0 && c < 0xf5 then
        follows (i + 1) && follows (i + 2) && follows (i + 3) && (c <> 0xf0 || d >= 0x90) && (c <> 0xf4 || d < 0x90) && from (i + 4)
      else false in
  from 0

(* How deep brackets are nested outside of texts, whatever they enclose: what is no JSON may also be too deep. *)
let brackets s =
  let n = String.length s in
  let rec from i level most inside =
    if i >= n then most
    else match s.[i] with
      | '\\' when i + 1 < n && (s.[i + 1] = '\\' || s.[i + 1] = '"') -> from (i + 2) level most inside
      | '"' -> from (i + 1) level most (not inside)
      | '[' | '{' when not inside -> from (i + 1) (level + 1) (max most (level + 1)) inside
      | ']' | '}' when not inside -> from (i + 1) (level - 1) most inside
      | _ -> from (i + 1) level most inside in
  from 0 0 0 false

let parse s =
  if not (is_utf8 s) then raise Malformed;
  if brackets s > depth then raise Too_deep;
  let n = String.length s and i = ref 0 in
  let peek () = if !i < n then s.[!i] else '\000' in
  let next () = if !i >= n then raise Malformed; let c = s.[!i] in incr i; c in
  let rec space () = match peek () with ' ' | '\t' | '\n' | '\r' when !i < n -> incr i; space () | _ -> () in
  let word w v = if !i + String.length w <= n && String.sub s !i (String.length w) = w then (i := !i + String.length w; v) else raise Malformed in
  let hex () =
    let digit c = match c with '0'..'9' -> Char.code c - 48 | 'a'..'f' -> Char.code c - 87 | 'A'..'F' -> Char.code c - 55 | _ -> raise Malformed in
    let rec go k a = if k = 0 then a else let d = digit (next ()) in go (k - 1) (16 * a + d) in go 4 0 in
  let text () =
    let b = Buffer.create 32 in
    let rec go () = match next () with
      | '"' -> Buffer.contents b
      | '\\' -> (match next () with
          | 'n' -> Buffer.add_char b '\n' | 't' -> Buffer.add_char b '\t' | 'r' -> Buffer.add_char b '\r'
          | 'b' -> Buffer.add_char b '\b' | 'f' -> Buffer.add_char b '\012'
          | ('"' | '\\' | '/') as c -> Buffer.add_char b c
          | 'u' ->
              let c = hex () in
              if c >= 0xd800 && c < 0xdc00 && !i + 6 <= n && s.[!i] = '\\' && s.[!i + 1] = 'u' then begin
                let back = !i in i := !i + 2;
                let d = hex () in
                if d >= 0xdc00 && d < 0xe000 then add_utf8 b (0x10000 + ((c - 0xd800) lsl 10) + (d - 0xdc00))
                else (i := back; add_utf8 b c)
              end else add_utf8 b c
          | _ -> raise Malformed); go ()
      | c when Char.code c < 32 -> raise Malformed
      | c -> Buffer.add_char b c; go () in
    go () in
  let digits () =
    let from = !i in
    while (match peek () with '0'..'9' -> !i < n | _ -> false) do incr i done;
    if !i = from then raise Malformed in
  let number () =
    if peek () = '-' then incr i;
    if peek () = 'I' then word "Infinity" JBad
    else begin
      if peek () = '0' then incr i else digits ();
      if peek () = '.' then (incr i; digits ());
      (match peek () with 'e' | 'E' -> incr i; (match peek () with '+' | '-' -> incr i | _ -> ()); digits () | _ -> ());
      JBad
    end in
  let rec value level =
    space ();
    let found = match peek () with
      | '{' | '[' when level >= depth -> raise Too_deep
      | '{' -> incr i; space (); if peek () = '}' then (incr i; JObject []) else members level []
      | '[' -> incr i; space (); if peek () = ']' then (incr i; JList []) else elements level []
      | '"' -> incr i; JText (text ())
      | 't' -> word "true" (JBool true) | 'f' -> word "false" (JBool false) | 'n' -> word "null" JNull
      | 'N' -> word "NaN" JBad | 'I' -> word "Infinity" JBad
      | _ -> number () in
    space (); found
  and elements level l =
    let x = value (level + 1) in
    match next () with ',' -> elements level (x :: l) | ']' -> JList (List.rev (x :: l)) | _ -> raise Malformed
  and members level l =
    space (); if next () <> '"' then raise Malformed;
    let name = text () in
    space (); if next () <> ':' then raise Malformed;
    let l = (name, value (level + 1)) :: l in
    match next () with
    | ',' -> members level l
    | '}' ->
        let names = List.sort_uniq compare (List.map fst l) in
        if List.length names < List.length l then JBad else JObject (List.rev l)
    | _ -> raise Malformed in
  let found = value 0 in
  if !i <> n then raise Malformed;
  found

(* All of a file, a pipe too, whose length nobody knows beforehand. *)
let read path =
  let file = open_in_bin path in
  let found = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec more () =
    let n = input file chunk 0 (Bytes.length chunk) in
    Buffer.add_subbytes found chunk 0 n;
    if Buffer.length found > longest then raise Too_long;
    if n > 0 then more () in
  Fun.protect ~finally:(fun () -> close_in_noerr file) more;
  Buffer.contents found

(* The clock is the processor's for this program, so that a busy machine decides nothing. *)
let limited work x =
  let clock at = ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.; it_value = at }) in
  Sys.set_signal Sys.sigvtalrm (Sys.Signal_handle (fun _ -> raise Too_much_work));
  let alarm = Gc.create_alarm (fun () -> if (Gc.quick_stat ()).Gc.heap_words > words then raise Out_of_memory) in
  clock !seconds;
  Fun.protect ~finally:(fun () -> clock 0.; Gc.delete_alarm alarm) (fun () -> work x)

let rec written = function
  | JNull -> "null" | JBool b -> string_of_bool b | JText s -> dumped_text s | JBad -> "?"
  | JList l -> "[" ^ String.concat ", " (List.map written l) ^ "]"
  | JObject l -> "{" ^ String.concat ", " (List.map (fun (name, x) -> dumped_text name ^ ": " ^ written x) l) ^ "}"

(* What was accepted, and on whose word: a certificate that is accepted lists all that its author promises. *)
let say found =
  let field name = match found with JObject l -> (try List.assoc name l with Not_found -> JNull) | _ -> JNull in
  let lines word name = match field name with JList l -> List.iter (fun x -> print_endline (word ^ ": " ^ written x)) l | _ -> () in
  lines "claim" "claims";
  print_endline ("1 apart is: " ^ written (field "neighbours"));
  lines "assumption" "assumptions";
  lines "attention" "attention"

let judge path =
  match limited (fun path -> let found = parse (read path) in (found, verdict_on found)) path with
  | found, Accepted -> print_endline ("verified: " ^ path); say found; 0
  | _, Rejected -> print_endline ("rejected: " ^ path); 1
  | _, NotProved rule -> print_endline ("not proved: " ^ rule); 3
  | exception (Malformed | Sys_error _ | End_of_file) -> print_endline ("not a certificate: " ^ path); 2
  | exception Too_long -> print_endline ("rejected: longer than a certificate may be: " ^ path); 1
  | exception Too_deep -> print_endline ("rejected: nested too deep: " ^ path); 1
  | exception Too_much_work -> print_endline (Printf.sprintf "not decided: more than %g seconds of work: " !seconds ^ path); 4
  | exception (Stack_overflow | Out_of_memory) -> print_endline ("not decided: more memory than it may take: " ^ path); 4

let rec judge_named () =
  match input_line stdin with
  | path -> let status = judge path in print_endline (string_of_int status); judge_named ()
  | exception End_of_file -> ()

let rec main = function
  | ["--rules"] -> List.iter print_endline (List.sort compare rules_followed)
  | "--seconds" :: n :: rest when float_of_string_opt n > Some 0. -> seconds := float_of_string n; main rest
  | ["--named"] -> judge_named ()
  | [] -> exit 2
  | paths -> exit (List.fold_left (fun status path -> max status (judge path)) 0 paths)

let () = main (List.tl (Array.to_list Sys.argv))
