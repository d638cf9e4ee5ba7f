(** * What a derivation takes on trust stands in its certificate

    [own_words] are the words in which a rule's promise ([Promises.v]) is printed. [fits] collects at least these from the
    whole tree, and a certificate that is accepted lists what [fits] collects. *)
From Coq Require Import String List ZArith QArith Bool.
From DPchecker Require Import Json Language Ordered Alike Meaning Numbers Distances Losses Decode Domains.
Import ListNotations.
Set Implicit Arguments.

Definition own_words (r : rule) : notes :=
  match r with
  | FromGranularity n => [granularity_note n]
  | LinearQueries m queries column => if few_for column queries then [answers_moved m column] else []
  | ClaimedTransformation f map_ source output target promised => transformation_notes f map_ source target promised
  | ClaimedMeasurement f map_ source m promised => measurement_notes f map_ source m promised
  | Adaptive m losses choices source => [stages_note m losses source]
  | Asking m budget more source => [asked_note m budget more source]
  | AskingAtOrders points source => [charged_note (orders_in_words points) source]
  | Comparing _ _ _ _ source => [compared_note source]
  | Jointly _ joint source => [joint_note joint source]
  | _ => []
  end.
Fixpoint words_of (n : node) : notes := match n with Tree r ps => (own_words r ++ flat_map words_of ps)%list end.

Lemma concat_all_ok (g : node -> option notes) ps a :
  Forall (fun p => forall b, g p = Some b -> incl (words_of p) b) ps -> concat_all (map g ps) = Some a -> incl (flat_map words_of ps) a.
Proof.
  revert a. induction ps as [|p ps IH]; intros a F H; [intros x []|]. inversion F as [|? ? F1 F2]; subst. cbn [map concat_all] in H. unfold bind_option in H.
  destruct (g p) as [b|] eqn:G; [|discriminate]. destruct (concat_all (map g ps)) as [c|]; [|discriminate]. injection H as <-.
  simpl. apply incl_app; [apply incl_appl, F1, eq_refl | apply incl_appr, IH; auto].
Qed.

Theorem fits_prints n : forall d m o a, fits n d m = Some (o, a) -> incl (words_of n) a.
Proof.
  induction n as [r ps IH] using node_ind'. intros d m o a H.
  assert (Each : forall d m, Forall (fun p => forall b, (let* f := fits p d m in Some (snd f)) = Some b -> incl (words_of p) b) ps).
  { intros e k. revert IH. apply Forall_impl. intros p F b K. unfold bind_option in K. destruct (fits p e k) as [[q c]|] eqn:E; [|discriminate].
    injection K as <-. now apply F in E. }
  assert (composed : forall q : option (domain * metric), (let* b := concat_all (map (fun p => let* f := fits p d m in Some (snd f)) ps) in Some (@None (domain * metric), b)) = Some (q, a) ->
    incl (flat_map words_of ps) a).
  { intros q K. unfold bind_option at 1 in K. destruct (concat_all _) as [b|] eqn:E; [|discriminate]. injection K as _ <-. exact (concat_all_ok _ (Each d m) E). }
  destruct r; try (destruct ps; [|discriminate H]; intros x []; fail).
  - (* Chain *)
    cbn [words_of own_words app]. cbn [fits] in H. clear Each composed. revert d m o a H. induction IH as [|p ps F IH Rest]; intros d m o a H; [intros x []|].
    cbn [flat_map]. unfold bind_option in H. destruct (fits p d m) as [[[[e k]|] b]|] eqn:E; [| |discriminate].
    + destruct ((fix go ps d m := match ps with [] => _ | _ => _ end) ps e k) as [[q c]|] eqn:G; [|discriminate]. injection H as <- <-.
      apply incl_app; [apply incl_appl; now apply F in E | apply incl_appr; now apply Rest in G].
    + destruct ps; [|discriminate]. injection H as <- <-. apply incl_app; [now apply F in E | intros x []].
  - (* PostProcess *)
    destruct ps as [|p [|]]; try discriminate H. cbn [fits] in H. unfold bind_option in H. destruct (fits p d m) as [[q b]|] eqn:E; [|discriminate].
    injection H as <- <-. cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F _]; subst. apply incl_tl. now apply F in E.
  - (* LinearQueries *)
    destruct ps; [|discriminate H]. cbn [fits] in H. unfold bind_option in H. destruct (out_rule _ d) as [[e b]|] eqn:E; [|discriminate]. injection H as <- <-.
    cbn [words_of own_words flat_map]. rewrite app_nil_r. unfold out_rule, bind_option in E. cbn [snd].
    repeat match type of E with match ?x with _ => _ end = _ => destruct x; try discriminate end; injection E as <- <-; apply incl_appr, incl_refl.
  - (* FromGranularity *)
    destruct ps; [|discriminate H]. cbn [fits] in H. unfold bind_option in H. destruct (out_rule _ d) as [[e b]|] eqn:E; [|discriminate]. injection H as <- <-.
    unfold out_rule, bind_option in E. repeat match type of E with match ?x with _ => _ end = _ => destruct x; try discriminate end; injection E as <- <-; apply incl_refl.
  - (* ClaimedTransformation *)
    destruct ps; [|discriminate H]. cbn [fits] in H. unfold bind_option in H. destruct (out_rule _ d) as [[e b]|] eqn:E; [|discriminate]. injection H as <- <-.
    unfold out_rule, bind_option in E. repeat match type of E with match ?x with _ => _ end = _ => destruct x; try discriminate end; injection E as <- <-;
    cbn [words_of own_words flat_map]; rewrite app_nil_r; apply incl_refl.
  - (* ClaimedMeasurement *)
    destruct ps; [|discriminate H]. injection H as <- <-. cbn [words_of own_words flat_map]; rewrite app_nil_r; apply incl_refl.
  - (* Convert *)
    destruct ps as [|p [|]]; try discriminate H. cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F _]; subst. now apply F in H.
  - (* Compose *) now apply composed in H.
  - (* Advanced *) now apply composed in H.
  - (* AdvancedOrPlain *) now apply composed in H.
  - (* Optimal *) now apply composed in H.
  - (* Unequal *) now apply composed in H.
  - (* Group *)
    destruct ps as [|p [|]]; try discriminate H. cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F _]; subst. now apply F in H.
  - (* Locally *)
    destruct ps as [|p [|]]; try discriminate H. cbn [fits] in H. destruct d; try discriminate H. unfold bind_option in H.
    destruct (fits p d Discrete) as [[q b]|] eqn:E; [|discriminate]. injection H as <- <-.
    cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F _]; subst. now apply F in E.
  - (* Shuffled *)
    destruct ps as [|p [|]]; try discriminate H. cbn [fits] in H. destruct d as [| | | | | | | |d [k|]| | |]; try discriminate H. unfold bind_option, guard in H.
    destruct (Pos.eqb size k); [|discriminate H]. destruct (fits p d Discrete) as [[q b]|] eqn:E; [|discriminate]. injection H as <- <-.
    cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F _]; subst. now apply F in E.
  - (* ParallelSymmetric *)
    cbn [fits] in H. destruct d; try discriminate H. unfold bind_option at 1, guard in H. destruct (list_eqb _ _ _); [|discriminate H].
    cbn [words_of own_words app]. unfold bind_option at 1 in H. destruct (concat_all _) as [b|] eqn:E; [|discriminate H]. injection H as _ <-.
    exact (concat_all_ok _ (Each (DRows d None) Symmetric) E).
  - (* ParallelChangeOne *)
    cbn [fits] in H. destruct d; try discriminate H. unfold bind_option at 1, guard in H. destruct (list_eqb _ _ _); [|discriminate H].
    cbn [words_of own_words app]. rewrite firstn_map, skipn_map in H. set (k := length keys) in H. unfold bind_option at 1 in H.
    destruct (concat_all (map _ (firstn k ps))) as [b|] eqn:E1; [|discriminate H]. unfold bind_option at 1 in H.
    destruct (concat_all (map _ (skipn k ps))) as [c|] eqn:E2; [|discriminate H]. injection H as _ <-.
    rewrite <- (firstn_skipn k ps), flat_map_app. apply incl_app; [apply incl_appl | apply incl_appr].
    + apply (concat_all_ok _) with (2 := E1). apply Forall_forall. intros p J. apply (proj1 (Forall_forall _ _) (Each (DRows d None) Symmetric)).
      rewrite <- (firstn_skipn k ps). apply in_or_app. now left.
    + apply (concat_all_ok _) with (2 := E2). apply Forall_forall. intros p J. apply (proj1 (Forall_forall _ _) (Each (DRows d None) ChangeOne)).
      rewrite <- (firstn_skipn k ps). apply in_or_app. now right.
  - (* ParallelAlike *)
    destruct ps as [|p [|]]; try discriminate H. cbn [fits] in H. destruct d; try discriminate H. unfold bind_option in H.
    destruct (fits p (DRows d None) Symmetric) as [[q b]|] eqn:E; [|discriminate]. injection H as <- <-.
    cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F _]; subst. now apply F in E.
  - (* ParallelAlikeChangeOne *)
    destruct ps as [|p [|q [|]]]; try discriminate H. cbn [fits] in H. destruct d; try discriminate H. unfold bind_option in H.
    destruct (fits p (DRows d None) Symmetric) as [[o1 b]|] eqn:E; [|discriminate].
    destruct (fits q (DRows d None) ChangeOne) as [[o2 c]|] eqn:E2; [|discriminate]. injection H as <- <-.
    cbn [words_of own_words app flat_map]. rewrite app_nil_r. inversion IH as [|? ? F IH']; subst. inversion IH' as [|? ? F2 _]; subst.
    apply incl_app; [apply incl_appl; now apply F in E | apply incl_appr; now apply F2 in E2].
  - (* Jointly *)
    cbn [fits] in H. cbn [words_of own_words].
    set (unless := if is_change_one m then d else unsized d) in H. clearbody unless. clear Each composed.
    assert (G : incl [joint_note joint source] a /\ incl (flat_map words_of ps) a); [|apply incl_app; apply G].
    revert o a H. assert (N : exists n, (length ps <= n)%nat) by (exists (length ps); auto). destruct N as (n & N).
    revert ps IH N. induction n as [|n Step]; intros ps IH N o a H.
    + destruct ps; [|inversion N]. injection H as <- <-. split; [apply incl_refl | intros x []].
    + destruct ps as [|t [|p ps]]; [injection H as <- <-; split; [apply incl_refl | intros x []] | discriminate H|].
      inversion IH as [|? ? F1 IH']; subst. inversion IH' as [|? ? F2 Rest]; subst.
      unfold bind_option at 1 in H. destruct (fits t unless m) as [[[[e k]|] b]|] eqn:E1; [| |discriminate H]; [|discriminate H].
      unfold bind_option at 1 in H. destruct (fits p e k) as [[q c]|] eqn:E2; [|discriminate H].
      unfold bind_option in H. destruct ((fix go ps := match ps with [] => _ | _ => _ end) ps) as [[u v]|] eqn:G; [|discriminate H].
      cbn [fst snd] in H. destruct q; [discriminate H|]. injection H as <- <-. apply Step in G; [|exact Rest | simpl in N; do 2 apply le_S_n; auto].
      destruct G as [G1 G2]. split; [now apply incl_appr, incl_appr|]. cbn [flat_map]. apply incl_app; [now apply incl_appl, F1 with (1 := E1)|].
      apply incl_appr. apply incl_app; [now apply incl_appl, F2 with (1 := E2) | now apply incl_appr].
  - (* Overlapping *)
    cbn [fits] in H. destruct d; try discriminate H. unfold bind_option at 1, guard in H. destruct (Nat.eqb _ _); [|discriminate H].
    unfold bind_option at 1 in H. destruct (values _ _); [|discriminate H].
    cbn [words_of own_words app]. unfold bind_option at 1 in H. destruct (concat_all _) as [b|] eqn:E; [|discriminate H]. injection H as _ <-.
    exact (concat_all_ok _ (Each (DRows d None) Symmetric) E).
  - (* Adaptive *)
    destruct ps; [|discriminate H]. injection H as <- <-. cbn [words_of own_words flat_map]. rewrite app_nil_r. intros x [<-|[]]. now left.
  - (* Asking *)
    cbn [fits] in H. unfold bind_option at 1 in H. destruct (concat_all _) as [b|] eqn:E; [|discriminate H]. injection H as _ <-.
    cbn [words_of own_words app]. intros x [<-|J]; [now left | right]. exact (concat_all_ok _ (Each _ m) E x J).
  - (* AskingAtOrders *)
    cbn [fits] in H. unfold bind_option at 1 in H. destruct (concat_all _) as [b|] eqn:E; [|discriminate H]. injection H as _ <-.
    cbn [words_of own_words app]. intros x [<-|J]; [now left | right]. exact (concat_all_ok _ (Each _ m) E x J).
  - (* Comparing *)
    destruct ps; [|discriminate H]. injection H as <- <-. cbn [words_of own_words flat_map]. rewrite app_nil_r. apply incl_refl.
Qed.

